package im.zonda.app.abuse;

/// Connections that send nothing, half of them to the port that expects TLS.
final class SilentConnections implements Abuse {
  @Override
  public void run(AbuseRun run) throws Exception {
    run.repeat(
        run.size(10_000, 1_500),
        i -> run.connect(i % 2 == 0 ? run.server().address() : run.server().tlsAddress(), 0));
  }
}
