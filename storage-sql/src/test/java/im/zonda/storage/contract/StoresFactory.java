package im.zonda.storage.contract;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.store.Stores;
import java.nio.file.Path;
import java.time.InstantSource;

/// Opens the stores of one kind of database for the contract tests.
public interface StoresFactory {
  /// Opens the stores of that folder; the same folder means the same data.
  Stores open(Path folder, Storage settings, Limits limits, InstantSource time);
}
