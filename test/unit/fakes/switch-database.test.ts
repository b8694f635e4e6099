import { describeSwitchDatabase } from '../../contract/switch-database.ts';
import { FakeSwitchDatabase } from '../../fakes/switch-database.ts';

describeSwitchDatabase('that is a fake', () => {
  const database = new FakeSwitchDatabase();
  return {
    database,
    setExternalIds: (change) => database.setExternalIds(change),
    addPort: (bridge, port) => database.addPort(bridge, port),
    overtakeNext: (change) => database.overtakeNext(change),
    fail: () => database.fail('is not there'),
    heal: () => database.heal(),
    end: () => undefined,
  };
});
