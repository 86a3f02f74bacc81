package im.zonda.bench.run;

/// The other end of a conversation between a worker and its parent. Any thread may call.
interface Link {
  /// Says something.
  void say(Line line);
}
