/**
 * How a thing of the administrator's is put back and taken away again, whatever it is.
 */
import { deleteAddress, putAddress } from '../node-model/address.ts';
import type { Change } from '../node-model/change.ts';
import { deleteNeighbour, putNeighbour } from '../node-model/neighbour.ts';
import { addNeighbourProxy, deleteNeighbourProxy } from '../node-model/neighbour-proxy.ts';
import { deleteNextHopObject, putNextHopObject } from '../node-model/next-hop-object.ts';
import { addRoute, deleteRoute } from '../node-model/route.ts';
import { presenceIn } from '../ownership/displaced-things.ts';
import type { DisplacedThing } from '../ownership/ledger.ts';
import type { NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';
import { addressCommand, addressText, deleteAddressCommand } from './address-words.ts';
import { deleteNeighbourCommand, neighbourText, putNeighbourCommand } from './neighbour-words.ts';
import { addNeighbourProxyCommand, deleteNeighbourProxyCommand, neighbourProxyText } from './neighbour-proxy-words.ts';
import { deleteNextHopObjectCommand, nextHopObjectText, putNextHopObjectCommand } from './next-hop-object-words.ts';
import type { Command, Dependencies } from './operation.ts';
import { routeCommand, routeText } from './route-words.ts';

/** Adds the thing. One that is there already and the same is as good. */
export function addThing(thing: DisplacedThing, node: NodeSnapshot): Change {
  switch (thing.type) {
    case 'address':
      return putAddress(node, thing.device, thing.address);
    case 'next-hop-object':
      return putNextHopObject(node, thing.object);
    case 'neighbour':
      return putNeighbour(node, thing.neighbour);
    case 'neighbour-proxy':
      return addNeighbourProxy(node, thing.proxy);
    case 'route': {
      const change = addRoute(node, thing.route);
      return !change.done && change.exists === true && presenceIn(node)(thing) ? { done: true, node } : change;
    }
  }
}

export function addThingCommand(thing: DisplacedThing): Command {
  switch (thing.type) {
    case 'address':
      return addressCommand('replace', thing.device, thing.address);
    case 'next-hop-object':
      return putNextHopObjectCommand(thing.object);
    case 'neighbour':
      return putNeighbourCommand(thing.neighbour);
    case 'neighbour-proxy':
      return addNeighbourProxyCommand(thing.proxy);
    case 'route':
      return routeCommand('add', thing.route);
  }
}

export function deleteThing(thing: DisplacedThing, node: NodeSnapshot): Change {
  switch (thing.type) {
    case 'address':
      return deleteAddress(node, thing.device, thing.address.address, thing.address.prefixLength);
    case 'next-hop-object':
      return deleteNextHopObject(node, thing.object.id);
    case 'neighbour':
      return deleteNeighbour(node, thing.neighbour);
    case 'neighbour-proxy':
      return deleteNeighbourProxy(node, thing.proxy);
    case 'route':
      return deleteRoute(node, thing.route);
  }
}

export function deleteThingCommand(thing: DisplacedThing): Command {
  switch (thing.type) {
    case 'address':
      return deleteAddressCommand(thing.device, thing.address);
    case 'next-hop-object':
      return deleteNextHopObjectCommand(thing.object);
    case 'neighbour':
      return deleteNeighbourCommand(thing.neighbour);
    case 'neighbour-proxy':
      return deleteNeighbourProxyCommand(thing.proxy);
    case 'route':
      return routeCommand('delete', thing.route);
  }
}

/** The thing for a person. */
export function thingText(thing: DisplacedThing): string {
  switch (thing.type) {
    case 'address':
      return addressText(thing.device, thing.address);
    case 'next-hop-object':
      return nextHopObjectText(thing.object);
    case 'neighbour':
      return neighbourText(thing.neighbour);
    case 'neighbour-proxy':
      return neighbourProxyText(thing.proxy);
    case 'route':
      return routeText(thing.route);
  }
}

/** What a route has to do with what it leads to: the ways out of its devices, and the object that it takes them from. */
export function routeDependencies({ nextHops, nextHopObject, preferredSource }: Route): Dependencies {
  const devices = nextHops.flatMap(({ device }) => device ?? []).map((device) => `on link ${device}`);
  const used = [
    ...(nextHopObject === undefined ? [] : [`next hop object ${nextHopObject}`]),
    ...(preferredSource === undefined ? [] : [`address ${preferredSource}`]),
  ];
  const isOnLink = nextHops.every(({ gateway }) => gateway === undefined);
  return isOnLink ? { makes: devices, needs: used } : { needs: [...devices, ...used] };
}

/** What putting the thing back has to do with putting back others. */
export function thingDependencies(thing: DisplacedThing): Dependencies {
  switch (thing.type) {
    case 'address':
      return { makes: [`on link ${thing.device}`, `address ${thing.address.address}`] };
    case 'next-hop-object': {
      const { id, device, gateway, group = [] } = thing.object;
      return {
        makes: [`next hop object ${id}`],
        needs: [
          ...group.map((member) => `next hop object ${member.id}`),
          ...(device === undefined || gateway === undefined ? [] : [`on link ${device}`]),
        ],
      };
    }
    case 'neighbour':
    case 'neighbour-proxy':
      return {};
    case 'route':
      return routeDependencies(thing.route);
  }
}
