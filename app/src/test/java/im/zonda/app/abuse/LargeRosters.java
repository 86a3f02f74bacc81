package im.zonda.app.abuse;

/// Rosters of as many contacts as possible, with names and groups as long as they may be.
final class LargeRosters implements Abuse {
  private static final int GROUPS = 20;
  private static final String PART = "x".repeat(1_000);

  @Override
  public void run(AbuseRun run) throws Exception {
    StringBuilder groups = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      groups.append("<group>").append(i).append(PART).append("</group>");
    }
    run.repeat(
        run.size(100, 10),
        i -> {
          Abuser abuser = run.login(i, "roster");
          for (int item = 0; item < 1_000; item++) {
            abuser.send(
                "<iq type='set' id='r'><query xmlns='jabber:iq:roster'><item jid='c%d@example.net' name='%s'>%s</item></query></iq>"
                    .formatted(item, PART, groups));
          }
          abuser.fence(SmallServer.DOMAIN);
        });
  }
}
