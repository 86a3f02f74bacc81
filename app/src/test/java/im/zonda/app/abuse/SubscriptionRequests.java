package im.zonda.app.abuse;

/// Subscription requests: of one account to ten thousand addresses, and of many accounts, with a
/// long text, to the same few.
final class SubscriptionRequests implements Abuse {
  private static final int BYTES = 4_000;

  @Override
  public void run(AbuseRun run) throws Exception {
    run.repeat(
        run.size(200, 30),
        i -> {
          Abuser abuser = run.login(i, "subscriber");
          if (i == 0) {
            for (int to = 0; to < run.size(10_000, 1_000); to++) {
              abuser.send(
                  "<presence type='subscribe' to='nobody%d@%s'/>"
                      .formatted(to, SmallServer.DOMAIN));
            }
          } else {
            String status = "<status>" + "x".repeat(BYTES) + "</status>";
            for (int to = 0; to < run.size(200, 30); to++) {
              abuser.send(
                  "<presence type='subscribe' to='%s'>%s</presence>"
                      .formatted(SmallServer.abuser(to), status));
            }
          }
          abuser.fence(SmallServer.DOMAIN);
        });
  }
}
