#!/usr/bin/python3 -ESsB
"""get.py NAMESPACE URL: asks by HTTP from a network namespace of the node (ip-netns(8)), and prints the status and the body, or why there is no answer."""

import http.client
import sys
import urllib.parse

from namespaces import within

DEADLINE = 5  # seconds

namespace, url = sys.argv[1:]
parts = urllib.parse.urlsplit(url)
connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=DEADLINE)
try:
    with within(namespace):
        connection.connect()
    connection.request("GET", parts.path)
    answer = connection.getresponse()
    print(answer.status, answer.read().decode())
except OSError as error:
    print(error)
