package im.zonda.profile;

/// Kinds of threads of a virtual machine.
public enum ThreadKind {
  /// The garbage collector.
  COLLECTOR,
  /// The compilers.
  COMPILER,
  /// Others of the virtual machine itself.
  MACHINE,
  /// Threads of Java.
  JAVA;

  /// The kind of a thread.
  ///
  /// @param name as the kernel has it, at most 15 characters
  public static ThreadKind of(String name) {
    if (name.startsWith("GC Thread")
        || name.startsWith("G1 ")
        || name.startsWith("ZDirector")
        || name.startsWith("ZWorker")
        || name.startsWith("ZDriver")
        || name.startsWith("Shenandoah")) {
      return COLLECTOR;
    }
    if (name.startsWith("C1 Comp") || name.startsWith("C2 Comp")) {
      return COMPILER;
    }
    if (name.startsWith("VM ") || name.startsWith("JFR ")) {
      return MACHINE;
    }
    return JAVA;
  }
}
