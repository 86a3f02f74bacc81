package im.zonda.app.abuse;

/// Floods of requests: to a client that never answers and never reads, to addresses that do not
/// exist, and to the server.
final class Requests implements Abuse {
  @Override
  public void run(AbuseRun run) throws Exception {
    run.login(0, "deaf", 4_096).send("<presence/>");
    run.repeat(
        run.size(100, 20),
        i -> {
          Abuser abuser = run.login(1 + i, "asker");
          abuser.discardInput();
          for (int request = 0; request < run.size(10_000, 1_000); request++) {
            String to =
                switch (request % 3) {
                  case 0 -> SmallServer.abuser(0) + "/deaf";
                  case 1 -> "nobody" + i + "-" + request + "@" + SmallServer.DOMAIN;
                  default -> SmallServer.DOMAIN;
                };
            abuser.send(
                "<iq type='get' id='q%d' to='%s'><query xmlns='http://jabber.org/protocol/disco#info'/></iq>"
                    .formatted(request, to));
          }
        });
  }
}
