import { addRule, removal } from '../../contract/host-examples.ts';
import { describeHostNetwork } from '../../contract/host-network.ts';
import { FakeHostNetwork } from '../../fakes/host-network.ts';

describeHostNetwork('the fake', () => {
  const network = new FakeHostNetwork();
  const change = addRule({ priority: 30_000 });
  return {
    network,
    applyByHand: async (operation) => {
      await network.apply(operation);
    },
    addLink: (name) => network.addLink(name),
    removeLink: (name) => network.removeLink(name),
    renameLink: (name, newName) => network.renameLink(name, newName),
    reachNeighbour: () => undefined,
    notifyOnce: async () => {
      const added = await network.apply(change);
      if (!added.done) await network.apply(removal(change));
    },
    runningPrograms: () => [],
    cleanUp: () => undefined,
  };
});
