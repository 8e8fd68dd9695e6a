module toy.api {
  exports toy.api;
}
