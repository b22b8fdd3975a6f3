// The process behind a page, as Linux tells of it: what it has of the processor's time and of memory.

import { existsSync, readFileSync } from "node:fs";

/** Linux counts the processor's time in hundredths of a second. */
const TICK_MS = 10;

/** The processes that pages have. */
export async function pageProcesses(browser) {
  const wire = await browser.newBrowserCDPSession();
  const { processInfo } = await wire.send("SystemInfo.getProcessInfo");
  await wire.detach();
  return processInfo.filter((process) => process.type === "renderer");
}

/**
 * The process of the page that plays, which is the one that has worked most since. That it is a new
 * one tells nothing: a browser keeps some in store, and a page changes from one to another.
 */
export async function busiestSince(browser, before) {
  const had = new Map(before.map((process) => [process.id, process.cpuTime]));
  const worked = (process) => process.cpuTime - (had.get(process.id) ?? 0);
  const [busiest] = (await pageProcesses(browser)).sort((a, b) => worked(b) - worked(a));
  if (!busiest || worked(busiest) <= 0) throw new Error("no page has done anything");
  return busiest.id;
}

/**
 * How long the main thread of the page that works while `act` runs has had the processor, in
 * milliseconds. It is told by that very work, so that a page which only starts beside it is never
 * taken for it.
 */
export async function busiestMs(browser, act) {
  const had = (await pageProcesses(browser)).filter(({ id }) => alive(id)).map(({ id }) => [id, mainThreadMs(id)]);
  await act();
  const worked = Math.max(...had.map(([id, before]) => (alive(id) ? mainThreadMs(id) - before : 0)));
  if (worked <= 0) throw new Error("no page has done anything");
  return worked;
}

/** A process that a browser kept in store may have ended meanwhile. */
function alive(pid) {
  return existsSync(`/proc/${pid}/stat`);
}

/** A process's memory that no file stands behind, in megabytes: its own, and not the browser's code. */
export function ownMemory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1];
  if (!kilobytes) throw new Error("this system does not say what memory of a process is its own");
  return Number(kilobytes) / 1024;
}

/** How long a process's main thread has had the processor, in milliseconds. */
export function mainThreadMs(pid) {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
  // Behind the name, which may hold anything, the fourteenth and fifteenth of all fields.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
