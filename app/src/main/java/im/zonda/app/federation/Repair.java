package im.zonda.app.federation;

/// The side that must repair a problem between two servers.
enum Repair {
  US("to be repaired here"),
  THEM("to be repaired at the other server"),
  NETWORK("to be repaired at the other server, or in the network between"),
  DNS("to be repaired in the DNS of the remote domain");

  private final String sentence;

  Repair(String sentence) {
    this.sentence = sentence;
  }

  /// The advice of a finding.
  String advice() {
    return sentence;
  }
}
