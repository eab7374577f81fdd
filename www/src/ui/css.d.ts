// A view's styles come with it.
declare module "*.css";
