/** Not built yet: Operations. */

import { Empty } from "../parts/empty.tsx";
import { PageHead } from "../parts/page_head.tsx";

export function Operations() {
  return (
    <>
      <PageHead title="Operations" />
      <Empty icon="overview" title="Not built yet">This page is still to come.</Empty>
    </>
  );
}

export function OperationPage() {
  return <PageHead title="Operation" />;
}
