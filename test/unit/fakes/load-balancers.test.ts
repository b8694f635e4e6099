import { FakeLoadBalancers } from '../../fakes/load-balancers.ts';
import { describeLoadBalancers, gatewayRouter, nodeSwitches } from '../../contract/load-balancers.ts';

describeLoadBalancers('the fake', () => {
  const loadBalancers = new FakeLoadBalancers(nodeSwitches, [gatewayRouter]);
  return { loadBalancers, fail: () => loadBalancers.close(), end: () => undefined };
});
