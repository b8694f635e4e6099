import { describeSouthbound } from '../../contract/southbound.ts';
import { FakeSouthbound } from '../../fakes/southbound.ts';

describeSouthbound('the fake', () => {
  const southbound = new FakeSouthbound();
  return {
    southbound,
    insert: (chassis) => southbound.insert(chassis),
    addPort: (port, network) => southbound.addPort(port, network),
    fail: () => southbound.setFailure('cannot be reached'),
    recover: () => southbound.setFailure(undefined),
    end: () => undefined,
  };
});
