import type { Environment } from '@marcbachmann/cel-js';

type Values = readonly unknown[];

/** An operator of CEL, for any values; @throws if CEL does not define it for their types */
type Operator = (left: unknown, right: unknown) => unknown;

function operatorOf(environment: Environment, operator: '==' | '<' | '+'): Operator {
  const operands = environment.clone().registerVariable('left', 'dyn').registerVariable('right', 'dyn');
  const expression = operands.parse(`left ${operator} right`);
  return (left, right): unknown => expression({ left, right });
}

/** Texts are compared as in Go, by their bytes in UTF-8. */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === 'string') return Buffer.from(value);
  return value instanceof Uint8Array ? value : undefined;
}

function listFunctionsOf(environment: Environment) {
  const [isEqual, isLess, plus] = [
    operatorOf(environment, '=='),
    operatorOf(environment, '<'),
    operatorOf(environment, '+'),
  ];
  const isBefore: Operator = (left, right) => {
    const [leftBytes, rightBytes] = [bytesOf(left), bytesOf(right)];
    if (leftBytes === undefined || rightBytes === undefined || typeof left !== typeof right) return isLess(left, right);
    return Buffer.compare(leftBytes, rightBytes) < 0;
  };
  const extreme = (name: string, isBetter: Operator) => (values: Values) => {
    if (values.length === 0) throw new Error(`${name} called on empty list`);
    return values.reduce((best, value) => (isBetter(value, best) === true ? value : best));
  };
  return {
    isSorted: (values: Values) => values.every((value, index) => index === 0 || !isBefore(value, values[index - 1])),
    /** Of an empty list, whose type is not known, the integer 0. */
    sum: (values: Values) => (values.length === 0 ? 0n : values.reduce((total, value) => plus(total, value))),
    min: extreme('min', isBefore),
    max: extreme('max', (left, right) => isBefore(right, left)),
    indexOf: (values: Values, item: unknown) => BigInt(values.findIndex((value) => isEqual(value, item))),
    lastIndexOf: (values: Values, item: unknown) => BigInt(values.findLastIndex((value) => isEqual(value, item))),
  };
}

/** Adds the functions of Kubernetes' list library. Items are compared and added by the operators of CEL for their types, those of the other libraries too. */
export function withListFunctions(environment: Environment): Environment {
  const { isSorted, sum, min, max, indexOf, lastIndexOf } = listFunctionsOf(environment);
  return environment
    .clone()
    .registerFunction('list.isSorted(): bool', isSorted)
    .registerFunction('list.sum(): dyn', sum)
    .registerFunction('list.min(): dyn', min)
    .registerFunction('list.max(): dyn', max)
    .registerFunction('list.indexOf(dyn): int', indexOf)
    .registerFunction('list.lastIndexOf(dyn): int', lastIndexOf);
}
