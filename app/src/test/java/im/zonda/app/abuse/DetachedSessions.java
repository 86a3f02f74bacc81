package im.zonda.app.abuse;

import java.util.concurrent.ConcurrentLinkedQueue;

/// Sessions that are cut off and then sent as much as may wait for each of them (XEP-0198).
final class DetachedSessions implements Abuse {
  private static final int BYTES = 100_000;
  private static final int MESSAGES = 30;

  @Override
  public void run(AbuseRun run) throws Exception {
    ConcurrentLinkedQueue<String> detached = new ConcurrentLinkedQueue<>();
    int accounts = run.accounts();
    run.repeat(
        run.size(1_000, 160),
        i -> {
          int account = i % accounts;
          String resource = "detached" + i / accounts;
          Abuser abuser = run.login(account, resource);
          abuser.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/><presence/>");
          abuser.await("<enabled ");
          run.drop(abuser);
          detached.add(SmallServer.abuser(account) + "/" + resource);
        });
    Abuser sender = run.login(1, "sender");
    sender.discardInput();
    String body = "x".repeat(BYTES);
    run.repeat(
        1,
        _ -> {
          for (String session : detached) {
            String message =
                "<message type='chat' to='" + session + "'><body>" + body + "</body></message>";
            for (int i = 0; i < MESSAGES; i++) {
              sender.send(message);
            }
          }
        });
  }
}
