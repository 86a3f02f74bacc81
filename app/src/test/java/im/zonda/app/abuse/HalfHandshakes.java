package im.zonda.app.abuse;

/// TLS handshakes that stop within the first message: the server has to keep what has come.
final class HalfHandshakes implements Abuse {
  /// A record of a handshake (RFC 8446, section 5.1) that is 16 KiB long.
  private static final byte[] RECORD = {0x16, 0x03, 0x01, 0x40, 0x00};

  /// A `ClientHello` (section 4) of nearly that length.
  private static final byte[] MESSAGE = {0x01, 0x00, 0x3f, (byte) 0xfc, 0x03, 0x03};

  @Override
  public void run(AbuseRun run) throws Exception {
    byte[] part = new byte[16_000];
    System.arraycopy(RECORD, 0, part, 0, RECORD.length);
    System.arraycopy(MESSAGE, 0, part, RECORD.length, MESSAGE.length);
    run.repeat(run.size(10_000, 1_500), i -> run.connect(run.server().tlsAddress(), 0).send(part));
  }
}
