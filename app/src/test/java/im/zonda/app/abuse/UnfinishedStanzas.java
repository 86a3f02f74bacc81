package im.zonda.app.abuse;

/// Stanzas that are nearly as large as they may be and never come to their end, on many streams.
final class UnfinishedStanzas implements Abuse {
  private static final int BYTES = 260_000;

  @Override
  public void run(AbuseRun run) throws Exception {
    String part = "<message to='" + SmallServer.abuser(0) + "'><body>" + "x".repeat(BYTES);
    int accounts = run.accounts();
    run.repeat(run.size(10_000, 500), i -> run.login(i % accounts, "r" + i / accounts).send(part));
  }
}
