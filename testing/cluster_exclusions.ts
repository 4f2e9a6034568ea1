/**
 * Ignores the tests of a single service. `deno task test:cluster` loads this before the tests.
 */

import { OF_ONE_SERVICE } from "./one_service_tests.ts";

const test = new Proxy(Deno.test, {
  apply(test, self, args) {
    const [name, fn] = args;
    if (typeof name !== "string" || !(name in OF_ONE_SERVICE)) {
      return Reflect.apply(test, self, args);
    }
    return test({ name, fn, ignore: true });
  },
});
Object.assign(Deno, { test });
