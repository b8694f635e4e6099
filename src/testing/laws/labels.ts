/**
 * Labels of situations that a check came across, such as a conflict or an exception of a law. Tests count labels, so that a check that never reaches its subject fails.
 */
export type CaseLabels = readonly string[];
