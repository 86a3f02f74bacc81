package im.zonda.study.load;

import im.zonda.study.page.PageModule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A load on a page.
///
/// @param name unique; lower-case words joined by hyphens
/// @param path of the page
/// @param samples how many pages are measured
/// @param timer the longest random wait of JMeter's threads, in milliseconds; 0 for an open loop
/// @param rate pages a second of an open loop; 0 for JMeter
/// @param warmUp pages of an open loop that are asked for before the measured ones
/// @param delay of the network in each direction, in milliseconds
public record LoadPlan(
    String name, String path, int samples, int timer, double rate, int warmUp, int delay) {
  /// Threads of JMeter.
  public static LoadPlan jmeter(String name, String path, int samples, int timer) {
    return new LoadPlan(name, path, samples, timer, 0, 0, 0);
  }

  /// An open loop.
  ///
  /// @param seconds how long it is measured
  /// @param warmUpSeconds how long it runs before
  public static LoadPlan open(String path, double rate, int seconds, int warmUpSeconds) {
    String name = String.format(Locale.ROOT, "open-%.0f", rate);
    return new LoadPlan(
        name, path, (int) (rate * seconds), 0, rate, (int) (rate * warmUpSeconds), 0);
  }

  /// The same over a network.
  ///
  /// @param millis its delay in each direction
  public LoadPlan delayed(int millis) {
    return new LoadPlan(name + "-delayed", path, samples, timer, rate, warmUp, millis);
  }

  /// Whether JMeter makes it.
  public boolean isJmeter() {
    return rate == 0;
  }

  /// About how long it takes, in seconds.
  public double seconds() {
    double perThread = (double) samples / JmeterLoad.THREADS;
    return isJmeter() ? perThread * timer / 2_000 + 5 : (samples + warmUp) / rate;
  }

  /// The loads of the page for one length of the study.
  ///
  /// @param samples the numbers of samples of JMeter, the first one for all cells
  /// @param timer of JMeter, in milliseconds
  /// @param rates of the open loops
  /// @param seconds of an open loop
  public static List<LoadPlan> ofPage(
      List<Integer> samples, int timer, List<Double> rates, int seconds) {
    List<LoadPlan> loads = new ArrayList<>();
    for (int count : samples) {
      loads.add(jmeter("jmeter-" + count, PageModule.PAGE, count, timer));
    }
    for (double rate : rates) {
      loads.add(open(PageModule.PAGE, rate, seconds, seconds / 2));
    }
    return loads;
  }
}
