import type { Environment } from '@marcbachmann/cel-js';
import { withAddressFunctions } from './addresses.ts';
import { withFormatFunctions } from './formats.ts';
import { withListFunctions } from './lists.ts';
import { withRegularExpressionFunctions } from './regular-expressions.ts';
import { withSubnetFunctions } from './subnets.ts';
import { withUrlFunctions } from './urls.ts';

/**
 * Adds Kubernetes' function libraries to an environment, except those for quantities, semantic versions and authorization.
 *
 * @param environment must not be extended afterwards
 * @returns an environment that may be extended
 */
export function withKubernetesLibraries(environment: Environment): Environment {
  const libraries = [
    withAddressFunctions,
    withSubnetFunctions,
    withRegularExpressionFunctions,
    withUrlFunctions,
    withFormatFunctions,
    withListFunctions,
  ];
  return libraries.reduce((extended, library) => library(extended), environment.clone());
}
