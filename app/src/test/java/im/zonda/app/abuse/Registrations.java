package im.zonda.app.abuse;

/// Attempts to register accounts, each on a connection of its own.
final class Registrations implements Abuse {
  @Override
  public void run(AbuseRun run) throws Exception {
    run.repeat(
        run.size(10_000, 300),
        i -> {
          Abuser abuser = run.connect().open();
          try {
            abuser.send(
                "<iq type='set' id='r'><query xmlns='jabber:iq:register'><username>new%d</username><password>the rose garden</password></query></iq>"
                    .formatted(i));
            abuser.await("</iq>");
          } finally {
            run.drop(abuser);
          }
        });
  }
}
