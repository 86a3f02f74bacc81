package im.zonda.cluster.simulation;

import org.junit.jupiter.api.Test;

class ClusterSimulationTest {
  @Test
  void nothing() {}

  public static void main(String[] args) {
    if (args[0].equals("faults")) {
      int n = Integer.parseInt(args[1]);
      for (PlantedFault fault : PlantedFault.values()) {
        if (args.length > 2 && !fault.name().equals(args[2])) continue;
        java.util.Map<String, Integer> by = new java.util.TreeMap<>();
        long first = 0; String text = "";
        for (long seed = 1; seed <= n; seed++) {
          try { new ClusterSimulation(seed, fault, 150, false).run(); }
          catch (ClusterLedger.Violation | RuntimeException e) {
            if (first == 0) { first = seed; text = e.toString().replaceAll("(?s)\n.*", ""); }
            by.merge(e instanceof ClusterLedger.Violation v ? v.invariant : e.toString(), 1, Integer::sum);
          }
        }
        System.out.println(fault + " first " + first + " " + by + " " + text.substring(0, Math.min(150, text.length())).replace("im.zonda.cluster.simulation.ClusterLedger$Violation", ""));
      }
      return;
    }
    long first = Long.parseLong(args[0]);
    long last = Long.parseLong(args[1]);
    int actions = args.length > 2 ? Integer.parseInt(args[2]) : 150;
    long steps = 0;
    long acked = 0;
    long time = 0;
    int bad = 0;
    java.util.Map<String, Integer> kinds = new java.util.TreeMap<>();
    long begin = System.nanoTime();
    for (long seed = first; seed <= last; seed++) {
      ClusterSimulation s = new ClusterSimulation(seed, PlantedFault.NONE, actions, first == last);
      try {
        s.run();
      } catch (ClusterLedger.Violation | RuntimeException e) {
        bad++;
        String m = e.toString();
        kinds.merge(m.substring(0, Math.min(90, m.length())), 1, Integer::sum);
        if (bad <= 5) {
          System.out.println("seed " + seed + " at " + s.agenda().now() + " " + e.toString());
          if (e instanceof RuntimeException) e.printStackTrace(System.out);
          if (first == last) System.out.println(s.ledger().trace());
        }
      }
      steps += s.agenda().steps();
      acked += s.ledger().acknowledgements();
      time += s.agenda().now();
    }
    double secs = (System.nanoTime() - begin) / 1e9;
    System.out.printf("%d bad, %d steps, %d acked, %.1f s, %.0f steps/s, %d ms sim%n", bad, steps, acked, secs, steps / secs, time);
  }
}
