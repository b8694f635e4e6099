import { describeInterfaceLocks } from '../../contract/interface-locks.ts';
import { FakeLocks } from '../../fakes/interface-locks.ts';

describeInterfaceLocks('the fake', () => {
  const interfaces = [
    { name: 'veth0', index: 7 },
    { name: 'veth1', index: 9 },
  ] as const;
  const locks = new FakeLocks(interfaces);
  return {
    locks,
    interfaces,
    loseAll: () => {
      locks.lose();
    },
    end: () => undefined,
  };
});
