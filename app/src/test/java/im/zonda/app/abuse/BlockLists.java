package im.zonda.app.abuse;

/// Blocking lists of as many addresses as possible, each as long as an address may be.
final class BlockLists implements Abuse {
  private static final String PART = "x".repeat(1_000);
  private static final int AT_ONCE = 100;

  @Override
  public void run(AbuseRun run) throws Exception {
    run.repeat(
        run.size(300, 40),
        i -> {
          Abuser abuser = run.login(i, "blocker");
          for (int first = 0; first < 1_000; first += AT_ONCE) {
            StringBuilder items = new StringBuilder();
            for (int item = first; item < first + AT_ONCE; item++) {
              items
                  .append("<item jid='b")
                  .append(item)
                  .append(PART)
                  .append("@example.net/")
                  .append(PART)
                  .append("'/>");
            }
            abuser.send(
                "<iq type='set' id='b'><block xmlns='urn:xmpp:blocking'>"
                    + items
                    + "</block></iq>");
            abuser.fence(SmallServer.DOMAIN);
          }
        });
  }
}
