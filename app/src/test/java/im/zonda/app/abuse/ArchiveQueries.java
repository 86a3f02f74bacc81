package im.zonda.app.abuse;

/// Archives full of large messages, read by many sessions at once.
final class ArchiveQueries implements Abuse {
  private static final int BYTES = 100_000;
  private static final int MESSAGES = 12;
  private static final int QUERIES = 20;

  @Override
  public void run(AbuseRun run) throws Exception {
    String body = "x".repeat(BYTES);
    run.repeat(
        run.size(300, 40),
        i -> {
          Abuser abuser = run.login(i, "archive");
          for (int message = 0; message < MESSAGES; message++) {
            abuser.send(
                "<message type='chat' to='%s'><body>%s</body></message>"
                    .formatted(SmallServer.abuser(i), body));
          }
          abuser.fence(SmallServer.DOMAIN);
          abuser.discardInput();
          for (int query = 0; query < QUERIES; query++) {
            abuser.send("<iq type='set' id='q'><query xmlns='urn:xmpp:mam:2'/></iq>");
          }
        });
  }
}
