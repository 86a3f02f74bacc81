package im.zonda.app.transfer.destination;

/// A kind of things that are counted.
public enum Kind {
  ACCOUNTS("accounts"),
  CONTACTS("contacts"),
  REQUESTS("pending contact requests"),
  VCARDS("vCards"),
  PRIVATE_XML("private XML elements"),
  BLOCKED("blocked addresses"),
  NODES("PEP nodes"),
  ITEMS("PEP items"),
  ROOMS("rooms"),
  AFFILIATIONS("room affiliations"),
  WAITING("offline messages"),
  ARCHIVED("archived messages");

  private final String words;

  Kind(String words) {
    this.words = words;
  }

  /// The name for people.
  public String words() {
    return words;
  }
}
