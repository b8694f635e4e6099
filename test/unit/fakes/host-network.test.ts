import { describeHostNetwork } from '../../contract/host-network.ts';
import { FakeHostNetwork } from '../../fakes/host-network.ts';

describeHostNetwork('that is a fake', () => {
  const network = new FakeHostNetwork();
  return {
    network,
    does: async (operation) => {
      await network.apply(operation);
    },
    addLink: (name) => network.addLink(name),
    removeLink: (name) => network.removeLink(name),
    renameLink: (name, newName) => network.renameLink(name, newName),
    seeNeighbour: () => undefined,
    running: () => [],
    end: () => undefined,
  };
});
