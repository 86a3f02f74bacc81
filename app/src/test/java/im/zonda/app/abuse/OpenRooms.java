package im.zonda.app.abuse;

/// Rooms that nobody configures, entered by one session with a long nickname and a long status.
final class OpenRooms implements Abuse {
  private static final String MUC = "http://jabber.org/protocol/muc";

  @Override
  public void run(AbuseRun run) throws Exception {
    String nick = "x".repeat(1_000);
    String status = "<status>" + "x".repeat(20_000) + "</status>";
    run.repeat(
        run.size(20, 10),
        i -> {
          Abuser abuser = run.login(i, "rooms");
          abuser.discardInput();
          for (int room = 0; room < run.size(10_000, 500); room++) {
            abuser.send(
                "<presence to='open%d-%d@rooms.%s/%s'><x xmlns='%s'/>%s</presence>"
                    .formatted(i, room, SmallServer.DOMAIN, nick, MUC, status));
          }
        });
  }
}
