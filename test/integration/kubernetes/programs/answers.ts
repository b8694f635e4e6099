import { once } from 'node:events';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';

/** Whether a program on the loopback interface answers a URL with status 200; the certificate that it has signed itself is not checked. */
export async function answers(url: string): Promise<boolean> {
  const request = url.startsWith('https:') ? getSecure(url, { rejectUnauthorized: false }) : getPlain(url);
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode === 200;
  } catch {
    return false;
  }
}
