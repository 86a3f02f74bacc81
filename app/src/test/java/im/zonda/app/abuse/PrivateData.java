package im.zonda.app.abuse;

/// Private XML data that is as large as it may be, written and read by many accounts at once.
final class PrivateData implements Abuse {
  private static final int BYTES = 240_000;
  private static final int PARTS = 4;
  private static final int READS = 10;

  @Override
  public void run(AbuseRun run) throws Exception {
    String text = "x".repeat(BYTES);
    run.repeat(
        run.size(300, 40),
        i -> {
          Abuser abuser = run.login(i, "private");
          StringBuilder names = new StringBuilder();
          for (int part = 0; part < PARTS; part++) {
            String name = "p" + part;
            names.append("<").append(name).append(" xmlns='abuse'/>");
            abuser.send(
                "<iq type='set' id='s'><query xmlns='jabber:iq:private'><%s xmlns='abuse'>%s</%s></query></iq>"
                    .formatted(name, text, name));
          }
          abuser.fence(SmallServer.DOMAIN);
          for (int read = 0; read < READS; read++) {
            abuser.send(
                "<iq type='get' id='g'><query xmlns='jabber:iq:private'>"
                    + names
                    + "</query></iq>");
          }
          abuser.discardInput();
        });
  }
}
