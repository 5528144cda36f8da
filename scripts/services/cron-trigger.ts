const CRON_MS = 60_000;
const RETRY_MS = 2_000;

/**
 * Fires the cron trigger of a Worker under wrangler dev, which does not fire it itself: once when the Worker
 * answers, then every minute.
 *
 * @returns a function that stops it
 */
export function startCronTrigger(port: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const fire = async () => {
    const fired = await fetch(`http://127.0.0.1:${port}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`).then(
      (response) => response.ok,
      () => false,
    );
    if (!isStopped) timer = setTimeout(() => void fire(), fired ? CRON_MS : RETRY_MS);
  };
  void fire();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
