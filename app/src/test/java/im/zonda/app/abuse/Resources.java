package im.zonda.app.abuse;

/// One account that binds resource after resource, each with presence.
final class Resources implements Abuse {
  @Override
  public void run(AbuseRun run) throws Exception {
    run.repeat(
        run.size(10_000, 200),
        i -> {
          Abuser abuser = run.login(0, "r" + i);
          abuser.send("<presence/>");
          abuser.discardInput();
        });
  }
}
