package im.zonda.app.abuse;

/// One session that makes rooms and speaks in each until its history is full.
final class ManyRooms implements Abuse {
  private static final String MUC = "http://jabber.org/protocol/muc";
  private static final int BYTES = 200_000;
  private static final int MESSAGES = 5;

  @Override
  public void run(AbuseRun run) throws Exception {
    Abuser abuser = run.login(0, "rooms");
    String body = "x".repeat(BYTES);
    run.repeat(
        1,
        _ -> {
          for (int i = 0; i < run.size(4_000, 150); i++) {
            String room = "abused" + i + "@rooms." + SmallServer.DOMAIN;
            abuser.send("<presence to='" + room + "/me'><x xmlns='" + MUC + "'/></presence>");
            abuser.send(
                "<iq type='set' id='c' to='"
                    + room
                    + "'><query xmlns='"
                    + MUC
                    + "#owner'><x xmlns='jabber:x:data' type='submit'/></query></iq>");
            for (int message = 0; message < MESSAGES; message++) {
              abuser.send(
                  "<message type='groupchat' to='"
                      + room
                      + "'><body>"
                      + body
                      + "</body></message>");
            }
            abuser.fence(room);
          }
        });
  }
}
