package planted.stanza;

/// Has a name that says nothing.
final class SomethingManager {
  private SomethingManager() {}
}
