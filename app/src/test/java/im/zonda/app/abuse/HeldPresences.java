package im.zonda.app.abuse;

import java.util.concurrent.ConcurrentLinkedQueue;

/// Sessions whose clients say that nobody looks at them (XEP-0352), and that are sent large
/// presence by many.
final class HeldPresences implements Abuse {
  private static final int BYTES = 200_000;

  @Override
  public void run(AbuseRun run) throws Exception {
    ConcurrentLinkedQueue<String> held = new ConcurrentLinkedQueue<>();
    int inactive = run.size(20, 4);
    run.repeat(
        inactive,
        i -> {
          Abuser abuser = run.login(i, "inactive");
          abuser.send("<inactive xmlns='urn:xmpp:csi:0'/>");
          abuser.fence(SmallServer.DOMAIN);
          abuser.discardInput();
          held.add(SmallServer.abuser(i) + "/inactive");
        });
    String status = "<status>" + "x".repeat(BYTES) + "</status>";
    run.repeat(
        run.size(1_000, 100),
        i -> {
          Abuser abuser = run.login(inactive + i, "teller");
          for (String to : held) {
            abuser.send("<presence to='" + to + "'>" + status + "</presence>");
          }
          abuser.fence(SmallServer.DOMAIN);
        });
  }
}
