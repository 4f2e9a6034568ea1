/** Runs an S3-compatible server: `s3_program.ts FOLDER PORT BUCKET`. Prints its port. */

import process from "node:process";
import S3rver from "@20minutes/s3rver";

const [directory, port, bucket] = process.argv.slice(2);
const server = new S3rver({
  directory,
  port: Number(port),
  address: "127.0.0.1",
  silent: true,
  configureBuckets: [{ name: bucket }],
});
const address: { port: number } = await server.run();
process.stdout.write(`${address.port}\n`);
