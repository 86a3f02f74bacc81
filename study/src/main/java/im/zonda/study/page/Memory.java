package im.zonda.study.page;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.LinkedHashMap;
import java.util.Map;

/// Memory of the virtual machine, in bytes.
final class Memory {
  private Memory() {}

  /// The heap as it is now, without a collection before; the code cache; classes.
  static Map<String, Object> now() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    long code = 0;
    long metaspace = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage usage = pool.getUsage();
      if (usage == null) {
        continue;
      }
      // One segment, or three of them.
      if (pool.getName().startsWith("CodeCache") || pool.getName().startsWith("CodeHeap")) {
        code += usage.getUsed();
      } else if (pool.getName().equals("Metaspace")) {
        metaspace += usage.getUsed();
      }
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("heap-used", heap.getUsed());
    all.put("heap-committed", heap.getCommitted());
    all.put("code-cache", code);
    all.put("metaspace", metaspace);
    all.put("classes", ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
    all.put("vm", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    return all;
  }
}
