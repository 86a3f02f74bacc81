package planted.module.muc;

import planted.module.muc.home.Home;

/// Uses a sub-package of its own, which is below it.
public final class MucModule {
  private MucModule() {}

  static Class<?> below() {
    return Home.class;
  }
}
