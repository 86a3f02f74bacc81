package im.zonda.study.cell;

/// The pages of the heap.
public enum LargePages {
  /// Of 4 KiB.
  SMALL,
  /// Transparent huge pages.
  TRANSPARENT,
  /// Reserved pages of 2 MiB; the virtual machine takes small ones if none are reserved.
  RESERVED
}
