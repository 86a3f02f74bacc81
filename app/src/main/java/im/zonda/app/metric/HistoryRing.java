package im.zonda.app.metric;

import java.util.Arrays;

/// The values of the last steps of a series, each at the place of its number modulo the count. NaN
/// stands for a step without a value.
final class HistoryRing {
  private final MeterHistory.Step step;
  private final float[] values;
  private long last = Long.MIN_VALUE;

  HistoryRing(MeterHistory.Step step) {
    this.step = step;
    this.values = new float[step.count()];
    Arrays.fill(values, Float.NaN);
  }

  /// Sets the value of the step in which a second is. Of the short steps it sets one that was left
  /// out, too: the sample was a little late.
  void put(long second, double value) {
    long slot = second / step.seconds();
    if (last != Long.MIN_VALUE && slot < last) {
      return; // the clock was set back: better no value than those of later steps lost
    }
    long first = last == Long.MIN_VALUE ? slot : Math.max(last + 1, slot - values.length + 1);
    boolean late = step == MeterHistory.Step.SECONDS && slot - last == 2;
    for (long missing = first; missing < slot; missing++) {
      values[at(missing)] = late ? (float) value : Float.NaN;
    }
    values[at(slot)] = (float) value;
    last = slot;
  }

  /// Sets the value of a step that has none, such as one before the start of the process.
  void fill(long second, float value) {
    long slot = second / step.seconds();
    if (last == Long.MIN_VALUE || slot > last) {
      put(second, value);
    } else if (slot > last - values.length && Float.isNaN(values[at(slot)])) {
      values[at(slot)] = value;
    }
  }

  /// The value of the step in which a second is.
  float get(long second) {
    long slot = second / step.seconds();
    return slot < 0 || slot > last || slot <= last - values.length ? Float.NaN : values[at(slot)];
  }

  private int at(long slot) {
    return (int) (slot % values.length);
  }
}
