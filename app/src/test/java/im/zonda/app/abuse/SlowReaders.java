package im.zonda.app.abuse;

/// Sessions that never read and are sent much, without Stream Management.
final class SlowReaders implements Abuse {
  private static final int BYTES = 100_000;
  private static final int MESSAGES = 40;

  @Override
  public void run(AbuseRun run) throws Exception {
    int sessions = run.size(500, 40);
    run.repeat(sessions, i -> run.login(i, "slow", 4_096).send("<presence/>"));
    Abuser sender = run.login(1, "sender");
    sender.discardInput();
    String body = "x".repeat(BYTES);
    run.repeat(
        1,
        _ -> {
          for (int i = 0; i < sessions; i++) {
            String to = SmallServer.abuser(i) + "/slow";
            for (int message = 0; message < MESSAGES; message++) {
              sender.send(
                  "<message type='normal' to='" + to + "'><body>" + body + "</body></message>");
            }
          }
        });
  }
}
