package im.zonda.app.abuse;

/// Directed presence to as many addresses as possible, each as long as an address may be.
final class DirectedPresences implements Abuse {
  private static final String PART = "x".repeat(1_000);

  @Override
  public void run(AbuseRun run) throws Exception {
    int addresses = run.size(10_000, 1_100);
    run.repeat(
        run.size(100, 20),
        i -> {
          Abuser abuser = run.login(i, "directed");
          abuser.send("<presence/>");
          for (int to = 0; to < addresses; to++) {
            abuser.send(
                "<presence to='u%d%s@%s/%s'/>".formatted(to, PART, SmallServer.DOMAIN, PART));
          }
          abuser.fence(SmallServer.DOMAIN);
        });
  }
}
