package im.zonda.app.abuse;

/// Presence with a status that is nearly as large as a stanza may be, from many sessions that stay.
final class LargePresences implements Abuse {
  private static final int BYTES = 200_000;

  @Override
  public void run(AbuseRun run) throws Exception {
    String presence = "<presence><status>" + "x".repeat(BYTES) + "</status></presence>";
    int accounts = run.accounts();
    run.repeat(
        run.size(10_000, 500),
        i -> {
          Abuser abuser = run.login(i % accounts, "r" + i / accounts);
          abuser.send(presence);
          abuser.fence(SmallServer.DOMAIN);
          abuser.discardInput();
        });
  }
}
