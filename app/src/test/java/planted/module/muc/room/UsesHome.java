package planted.module.muc.room;

import planted.module.muc.home.Home;

/// Uses a sub-package that is above its own.
final class UsesHome {
  private UsesHome() {}

  static Class<?> above() {
    return Home.class;
  }
}
