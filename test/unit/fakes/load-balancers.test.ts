import { FakeLoadBalancers } from '../../fakes/load-balancers.ts';
import { describeLoadBalancers, nodeSwitches } from '../../contract/load-balancers.ts';

describeLoadBalancers('the fake', () => {
  const loadBalancers = new FakeLoadBalancers(nodeSwitches);
  return { loadBalancers, fail: () => loadBalancers.close(), end: () => undefined };
});
