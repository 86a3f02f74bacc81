package im.zonda.app.abuse;

/// Messages that are nearly as large as a stanza may be, from many sessions at once, for accounts
/// that are away.
final class OfflineMessages implements Abuse {
  private static final int BYTES = 250_000;

  @Override
  public void run(AbuseRun run) throws Exception {
    String body = "x".repeat(BYTES);
    int accounts = run.accounts();
    run.repeat(
        run.size(200, 30),
        i -> {
          Abuser abuser = run.login(i, "sender");
          abuser.discardInput();
          for (int to = 0; to < run.size(50, 15); to++) {
            abuser.send(
                "<message type='chat' to='%s'><body>%s</body></message>"
                    .formatted(SmallServer.abuser(accounts - 1 - (i + to * 7) % 100), body));
          }
        });
  }
}
