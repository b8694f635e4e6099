import { describeSwitchDatabase } from '../../contract/switch-database.ts';
import { FakeSwitchDatabase } from '../../fakes/switch-database.ts';

describeSwitchDatabase('the fake', () => {
  const database = new FakeSwitchDatabase();
  return {
    database,
    setExternalIds: (change) => database.setExternalIds(change),
    addPort: (bridge, port) => database.addPort(bridge, port),
    changeBeforeNextWrite: (change) => database.changeBeforeNextWrite(change),
    fail: () => database.fail('is not there'),
    recover: () => database.recover(),
    end: () => undefined,
  };
});
