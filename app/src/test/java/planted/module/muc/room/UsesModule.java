package planted.module.muc.room;

import planted.module.muc.MucModule;

/// Uses the package of its module, which is above the module's sub-packages.
final class UsesModule {
  private UsesModule() {}

  static Class<?> above() {
    return MucModule.class;
  }
}
