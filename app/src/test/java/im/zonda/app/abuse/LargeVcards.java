package im.zonda.app.abuse;

/// vCards that are as large as they may be, written by many accounts and read by all of them.
final class LargeVcards implements Abuse {
  private static final int BYTES = 130_000;

  @Override
  public void run(AbuseRun run) throws Exception {
    String photo = "x".repeat(BYTES);
    int accounts = run.size(200, 70);
    run.repeat(
        accounts,
        i -> {
          Abuser abuser = run.login(i, "vcard");
          abuser.send(
              "<iq type='set' id='s'><vCard xmlns='vcard-temp'><PHOTO><BINVAL>"
                  + photo
                  + "</BINVAL></PHOTO></vCard></iq>");
          abuser.await("id='s'");
          abuser.discardInput();
          for (int other = 0; other < accounts; other++) {
            abuser.send(
                "<iq type='get' id='g' to='%s'><vCard xmlns='vcard-temp'/></iq>"
                    .formatted(SmallServer.abuser(other)));
          }
        });
  }
}
