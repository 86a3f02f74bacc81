package im.zonda.bench.trace.synth;

import im.zonda.bench.trace.Multiplication;
import im.zonda.bench.trace.Trace;
import im.zonda.bench.trace.TraceBuilder;
import im.zonda.bench.trace.TraceMultiplier;
import im.zonda.bench.trace.TraceWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The recipe of a load's trace: a preset or a file, a part of it, its multiplication. The same
/// recipe makes the same trace in each process.
///
/// @param source `arena` for the preset, or the path of a file
/// @param seed of the preset and of the multiplication
/// @param from the begin of the part in seconds; negative for the part with the most copies, or for
///   the begin of the preset, which is stationary
/// @param length the seconds of the part, after the division by the speed; 0 for the whole trace
/// @param linger seconds from the last message to a departure that the file does not have
/// @param multiplication what happens to the part
public record TraceRecipe(
    String source,
    long seed,
    double from,
    double length,
    double linger,
    Multiplication multiplication) {
  /// The name of the preset.
  public static final String ARENA = "arena";

  /// Makes the trace.
  ///
  /// A part that is followed by enough of the trace is cut so that no clone passes its end: clones
  /// that are moved begin with what was before.
  ///
  /// @throws IOException if the file cannot be read
  /// @throws IllegalArgumentException if the part or multiplication is impossible
  public Trace make() throws IOException {
    Trace whole = whole();
    if (length == 0) {
      return TraceMultiplier.multiply(whole, multiplication);
    }
    double speed = multiplication.speed();
    long millis = Math.min(whole.millis(), Math.round(length * 1e3 * speed));
    long begin = from < 0 ? begin(whole, millis) : Math.round(from * 1e3);
    long lead = Math.round(multiplication.shift() * speed);
    if (multiplication.times() > 1 && begin + millis + lead <= whole.millis()) {
      Trace longer =
          TraceMultiplier.multiply(TraceWindow.cut(whole, begin, millis + lead), multiplication);
      long shift = Math.min(multiplication.shift(), longer.millis() - 1);
      return TraceWindow.cut(longer, shift, longer.millis() - shift);
    }
    return TraceMultiplier.multiply(TraceWindow.cut(whole, begin, millis), multiplication);
  }

  private long begin(Trace whole, long millis) {
    return source.equals(ARENA) ? 0 : TraceWindow.busiest(whole, millis);
  }

  private Trace whole() throws IOException {
    if (source.equals(ARENA)) {
      return TraceSynthesis.make(Arena.preset(seed));
    }
    Path file = Path.of(source);
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "there is no trace " + source + ": neither the preset " + ARENA + " nor a file");
    }
    return TraceBuilder.read(file, Math.round(linger * 1e3));
  }

  /// The most players that a room may have by the header of a trace; 0 if it says nothing.
  public static int limitOf(Trace trace) {
    return (int) trace.header().whole("max-room", 0);
  }
}
