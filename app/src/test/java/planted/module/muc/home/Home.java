package planted.module.muc.home;

/// Used from below, which is a violation, and from above, which is none.
public final class Home {
  private Home() {}
}
