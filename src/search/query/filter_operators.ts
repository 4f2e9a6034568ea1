/** The operators of filters: how a value in a record is compared with an operand. */

/** A value to compare with. */
export type Scalar = string | number | boolean;

/** Operators available in conditions. */
export const OPERATORS: readonly string[] = [
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "nin",
  "contains",
  "icontains",
  "exists",
];

/** Returns an operator's test, which gets null if the field is missing. */
export function operatorTest(operator: string, operand: unknown): (value: unknown) => boolean {
  switch (operator) {
    case "eq":
      return operand === null ? (value) => value === null : (value) => equals(value, operand);
    case "ne":
      return operand === null ? (value) => value !== null : (value) => !equals(value, operand);
    case "in":
      return oneOf(operand as Scalar[]);
    case "nin": {
      const excluded = oneOf(operand as Scalar[]);
      return (value) => !excluded(value);
    }
    case "exists":
      return (value) => (value !== null) === operand;
    case "contains":
      return (value) => contains(value, operand as Scalar);
    case "icontains":
      return (value) => containsIgnoringCase(value, (operand as string).toLowerCase());
    default:
      return (value) => matchesOrder(operator, value, operand as Scalar);
  }
}

/** Checks equality without type conversion. An array equals each of its items. */
function equals(value: unknown, operand: unknown): boolean {
  return Array.isArray(value) ? value.includes(operand) : value === operand;
}

/** Returns a test for a value that equals one of the operands. */
function oneOf(operands: readonly unknown[]): (value: unknown) => boolean {
  const known = new Set(operands);
  return (value) => Array.isArray(value) ? value.some((item) => known.has(item)) : known.has(value);
}

function contains(value: unknown, operand: Scalar): boolean {
  if (Array.isArray(value)) return value.includes(operand);
  return typeof value === "string" && typeof operand === "string" && value.includes(operand);
}

function containsIgnoringCase(value: unknown, operand: string): boolean {
  const lower = (item: unknown) => typeof item === "string" ? item.toLowerCase() : undefined;
  if (Array.isArray(value)) return value.some((item) => lower(item) === operand);
  return lower(value)?.includes(operand) ?? false;
}

function matchesOrder(operator: string, value: unknown, operand: Scalar): boolean {
  if (value === null || typeof value !== typeof operand) return false;
  const left = value as Scalar;
  if (operator === "gt") return left > operand;
  if (operator === "gte") return left >= operand;
  return operator === "lt" ? left < operand : left <= operand;
}
